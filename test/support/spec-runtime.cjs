const asyncHooks = require('node:async_hooks');
const { compileFunction } = require('node:vm');
const { default: Runtime } = require('jest-runtime');
const OneAtATime = require('./one-at-a-time.cjs');
require('./late-optimization.cjs');

const A_SPEC = /\.spec\.ts$/;

/** The last compiled form of each file that runs again. */
const compiled = new Map();

/** The runtime of the spec file under way. */
let current;

/** Where to find the source maps of modules that were loaded for earlier files. */
const sourceMaps = new Map();

require.extensions['.ts'] = (module, filename) => {
  const code = current.transformCache.transform(filename);
  sourceMaps.set(filename, current.getSourceMaps().get(filename));
  module._compile(code, filename);
};

/**
 * Loads everything but the spec files once for all spec files of a worker, like Node does: packages and modules of this
 * project. Jest loads everything again for every file, which takes longer than the specs. Mocking a module is therefore
 * not possible. It needs `spec-environment.cjs`: shared modules must share `Array` and `Error` too.
 */
module.exports = class SpecRuntime extends Runtime {
  constructor(...options) {
    super(...options);
    current = this;
    for (const [file, map] of sourceMaps) this.getSourceMaps().set(file, map);
    const { executor } = this;
    executor.compile = (source, filename) => {
      const known = compiled.get(filename);
      if (known?.source === source) return known.run;
      const run = compileFunction(source, executor.injectedModuleParameters, { filename });
      compiled.set(filename, { source, run });
      return run;
    };
  }

  requireModule(from, name, options, isActual) {
    if (options?.isInternalModule && name === 'node:async_hooks')
      return { ...asyncHooks, AsyncLocalStorage: OneAtATime };
    const known = name === undefined || options?.isInternalModule || this._resolution.isCoreModule(name);
    const path = known ? undefined : this._resolution.resolveCjs(from, name);
    if (!path || A_SPEC.test(path)) return super.requireModule(from, name, options, isActual);
    return this._environment.keeping(() => require(path));
  }
};
