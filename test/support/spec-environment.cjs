const { ModernFakeTimers } = require('@jest/fake-timers');
const { ModuleMocker } = require('jest-mock');

/** Where Jest's own runner stores its handlers. Those of the last file must not receive events of the next one. */
const HANDLERS = Symbol.for('EVENT_HANDLERS');

/**
 * Runs specs in the process' own context rather than in one of their own, so that they can share modules
 * (`spec-runtime.cjs`). What a spec file sets on `globalThis` and `process` is taken back after it.
 */
module.exports = class SpecEnvironment {
  global = globalThis;
  moduleMocker = new ModuleMocker(globalThis);
  fakeTimers = null;

  constructor({ projectConfig }) {
    Reflect.deleteProperty(globalThis, HANDLERS);
    this.before = Object.getOwnPropertyDescriptors(globalThis);
    const { exit, getBuiltinModule } = process;
    this.process = { exit, getBuiltinModule };
    this.env = { ...process.env };
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
  }

  /** What a module keeps on `globalThis` stays there with it. */
  keeping(load) {
    const known = new Set(Reflect.ownKeys(globalThis));
    const loaded = load();
    for (const key of Reflect.ownKeys(globalThis))
      if (!known.has(key)) this.before[key] = Object.getOwnPropertyDescriptor(globalThis, key);
    return loaded;
  }

  async setup() {}

  async teardown() {
    this.fakeTimersModern.dispose();
    Object.assign(process, this.process);
    for (const name of Object.keys(process.env)) if (!(name in this.env)) delete process.env[name];
    Object.assign(process.env, this.env);
    for (const key of Reflect.ownKeys(globalThis)) if (!(key in this.before)) Reflect.deleteProperty(globalThis, key);
    for (const key of Reflect.ownKeys(this.before))
      if (this.before[key].configurable) Object.defineProperty(globalThis, key, this.before[key]);
    this.global = null;
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }

  /** Read before anything is compiled. The compiler does not use it. */
  getVmContext() {
    return {};
  }
};
