import tseslint from 'typescript-eslint';

const NO_CLOCK = [
  {
    selector: "NewExpression[callee.name='Date'][arguments.length=0]",
    message: 'Pass the time as a parameter: a handler that reads the clock computes other rows on replay.',
  },
  { selector: "MemberExpression[object.name='Date'][property.name='now']", message: 'Pass the time as a parameter.' },
  {
    selector: "MemberExpression[object.name='Math'][property.name='random']",
    message: 'Pass random values as parameters.',
  },
];
const NO_NOW_IN_SQL = {
  selector:
    'TemplateElement[value.raw=/\\b(now\\(\\)|clock_timestamp\\(\\)|current_timestamp)/i], Literal[value=/\\b(now\\(\\)|clock_timestamp\\(\\)|current_timestamp)/i]',
  message: 'Time is an argument, in SQL too: pass it as a parameter.',
};

export default tseslint.config(
  { ignores: ['dist/**', 'node_modules/**', 'coverage/**', '**/*.mjs', '**/*.cjs', '**/*.js'] },
  ...tseslint.configs.recommendedTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/consistent-type-imports': [
        'error',
        { fixStyle: 'separate-type-imports', disallowTypeAnnotations: false },
      ],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/require-await': 'off',
      'no-restricted-syntax': [
        'error',
        { selector: 'ExportAllDeclaration', message: 'Name each export.' },
        NO_NOW_IN_SQL,
      ],
    },
  },
  {
    files: ['libs/*/src/domain/**/*.ts', 'libs/*/src/feed/**/*.ts', 'libs/**/*.view.ts'],
    ignores: ['**/*.spec.ts'],
    rules: {
      'no-restricted-syntax': ['error', ...NO_CLOCK, NO_NOW_IN_SQL],
      'no-restricted-globals': ['error', 'process', 'setTimeout', 'setInterval', 'setImmediate', 'fetch'],
    },
  },
  {
    files: ['**/*.spec.ts', 'test/**/*.ts', 'bench/**/*.ts'],
    rules: { '@typescript-eslint/unbound-method': 'off' },
  },
);
