/**
 * Stands in for the `AsyncLocalStorage` by which Jest knows what test an error belongs to. A real one makes every promise
 * of everything that is tested dearer, and each spec file adds one more to that. Our specs run one after the other, so it
 * is enough to remember which.
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
