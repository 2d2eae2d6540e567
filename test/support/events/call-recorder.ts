/** Records the calls of a listener, and resolves after a number of calls. */
export class CallRecorder<Call extends readonly unknown[]> {
  readonly calls: Call[] = [];
  private readonly waiting: { readonly count: number; readonly resolve: () => void }[] = [];

  readonly listener = (...call: Call): void => {
    this.calls.push(call);
    for (const { count, resolve } of this.waiting) if (this.calls.length >= count) resolve();
  };

  atLeast(count: number): Promise<void> {
    if (this.calls.length >= count) return Promise.resolve();
    return new Promise((resolve) => this.waiting.push({ count, resolve }));
  }
}
