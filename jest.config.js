const swc = ['@swc/jest', require('./test/support/swc-options.cjs')];

/** @type {import('jest').Config} */
module.exports = {
  rootDir: __dirname,
  roots: ['<rootDir>/apps', '<rootDir>/libs', '<rootDir>/test'],
  testRegex: '\\.spec\\.ts$',
  moduleFileExtensions: ['ts', 'js', 'mjs', 'json'],
  transform: { '^.+\\.ts$': swc },
  // Specs wait for PostgreSQL as much as they compute.
  maxWorkers: '100%',
  // Every spec loads its modules anew and Node keeps the old ones: with a heap of gigabytes, collecting it takes longer than
  // starting a worker.
  workerIdleMemoryLimit: '1GB',
  testSequencer: '<rootDir>/test/support/longest-first.cjs',
  testEnvironment: '<rootDir>/test/support/spec-environment.cjs',
  runtime: '<rootDir>/test/support/spec-runtime.cjs',
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
  testTimeout: 30_000,
};
