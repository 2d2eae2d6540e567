const swc = ['@swc/jest', require('./test/support/swc-options.cjs')];

/** Packages that ship ES modules only; Jest's loader cannot require those before Node 24.9, so they are transformed. */
const ESM_ONLY = ['@nestjs', 'file-type', 'token-types', 'strtok3', '@tokenizer', 'uint8array-extras', '@borewit'];

/** @type {import('jest').Config} */
module.exports = {
  rootDir: __dirname,
  roots: ['<rootDir>/apps', '<rootDir>/libs', '<rootDir>/test'],
  testRegex: '\\.spec\\.ts$',
  moduleFileExtensions: ['ts', 'js', 'mjs', 'json'],
  transform: { '^.+\\.ts$': swc, 'node_modules/.+\\.m?js$': swc },
  transformIgnorePatterns: [`node_modules/(?!(${ESM_ONLY.join('|')})/)`],
  // Specs wait for PostgreSQL as much as they compute.
  maxWorkers: '100%',
  // Every spec loads its modules anew and Node keeps the old ones: with a heap of gigabytes, collecting it takes longer than
  // starting a worker.
  workerIdleMemoryLimit: '1GB',
  testSequencer: '<rootDir>/test/support/longest-first.cjs',
  testEnvironment: 'node',
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
  testTimeout: 30_000,
};
