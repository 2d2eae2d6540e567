const { compileFunction } = require('node:vm');
const { default: Runtime } = require('jest-runtime');

const IN_A_PACKAGE = /[\\/]node_modules[\\/]/;

/** The last compiled form of each of our files. */
const compiled = new Map();

/**
 * Loads packages once for all spec files of a worker, as Node does, and runs our own modules anew for each, out of one
 * compiled form. Jest's own way, everything anew for every file, takes longer than the specs. Mocking a package is
 * therefore not possible. It goes with `spec-environment.cjs`: who shares packages must share `Array` and `Error` too.
 */
module.exports = class SpecRuntime extends Runtime {
  constructor(...options) {
    super(...options);
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
    const ours = name === undefined || options?.isInternalModule || this._resolution.isCoreModule(name);
    const path = ours ? '' : this._resolution.resolveCjs(from, name);
    return IN_A_PACKAGE.test(path) ? require(path) : super.requireModule(from, name, options, isActual);
  }
};
