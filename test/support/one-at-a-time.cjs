/**
 * Replaces the `AsyncLocalStorage` by which Jest finds the test of an error. A real one makes every promise of the
 * tested code slower, and each spec file adds one more. The specs run one after the other, so a variable is enough.
 */
module.exports = class OneAtATime {
  store = undefined;

  getStore() {
    return this.store;
  }

  run(store, act) {
    const outer = this.store;
    this.store = store;
    const done = () => void (this.store = outer);
    let result;
    try {
      result = act();
    } catch (error) {
      done();
      throw error;
    }
    if (typeof result?.finally === 'function') return result.finally(done);
    done();
    return result;
  }
};
