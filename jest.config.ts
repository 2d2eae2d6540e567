import type { Config } from 'jest';

const swc = [
  '@swc/jest',
  {
    swcrc: false,
    sourceMaps: 'inline',
    module: { type: 'commonjs' },
    jsc: {
      target: 'es2023',
      parser: { syntax: 'typescript', decorators: true },
      transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
      keepClassNames: true,
    },
  },
];

/** Packages that ship ES modules only; Jest's loader cannot require those before Node 24.9, so they are transformed. */
const ESM_ONLY = ['@nestjs', 'file-type', 'token-types', 'strtok3', '@tokenizer', 'uint8array-extras', '@borewit'];

const config: Config = {
  rootDir: '.',
  roots: ['<rootDir>/apps', '<rootDir>/libs', '<rootDir>/test'],
  testRegex: '\\.spec\\.ts$',
  moduleFileExtensions: ['ts', 'js', 'mjs', 'json'],
  transform: { '^.+\\.ts$': swc as never, 'node_modules/.+\\.m?js$': swc as never },
  transformIgnorePatterns: [`node_modules/(?!(${ESM_ONLY.join('|')})/)`],
  moduleNameMapper: {
    '^@annals/kernel/domain$': '<rootDir>/libs/kernel/src/domain/index.ts',
    '^@annals/([^/]+)/events$': '<rootDir>/libs/$1/src/domain/events.ts',
    '^@annals/([^/]+)$': '<rootDir>/libs/$1/src/index.ts',
  },
  testEnvironment: 'node',
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
  testTimeout: 30_000,
};

export default config;
