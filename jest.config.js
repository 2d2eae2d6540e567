const { availableParallelism } = require('node:os');
const swc = ['@swc/jest', require('./test/support/swc-options.cjs')];

/** @type {import('jest').Config} */
module.exports = {
  rootDir: __dirname,
  roots: ['<rootDir>/apps', '<rootDir>/libs', '<rootDir>/test'],
  testRegex: '\\.spec\\.ts$',
  // Minutes of processes that are started and killed: jest.faults.config.js.
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/faults/'],
  moduleFileExtensions: ['ts', 'js', 'mjs', 'json'],
  transform: { '^.+\\.ts$': swc },
  // Specs also wait: for PostgreSQL, for processes, for what is due.
  maxWorkers: Math.ceil(availableParallelism() * 1.5),
  // What a spec leaves open keeps all of it in memory: collecting a heap of gigabytes takes longer than starting a worker.
  workerIdleMemoryLimit: '1GB',
  // A worker without open handles still has to free its heap at its end, which takes longer than Jest's 0.5 s (decision 12).
  workerGracefulExitTimeout: 10_000,
  testSequencer: '<rootDir>/test/support/longest-first.cjs',
  testEnvironment: '<rootDir>/test/support/spec-environment.cjs',
  runtime: '<rootDir>/test/support/spec-runtime.cjs',
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
  // For what hangs. How fast something is, specs say themselves, and not in seconds: some machines are slow.
  testTimeout: 300_000,
};
