import tseslint from 'typescript-eslint'

const spreadOfLiteral = {
  selector: 'ObjectExpression > SpreadElement > ObjectExpression',
  message: 'Write the properties out: a spread of an object literal only saves lines.',
}

export default tseslint.config(
  { ignores: ['dist/**', 'results/**', 'node_modules/**', 'coverage/**', 'datasets/**'] },
  ...tseslint.configs.strictTypeChecked,
  {
    languageOptions: {
      parserOptions: {
        project: ['./tsconfig.json', './src/report/client/tsconfig.json'],
        tsconfigRootDir: new URL('..', import.meta.url).pathname,
      },
    },
  },
  {
    rules: {
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      '@typescript-eslint/require-await': 'off',
      // there are no enums, and few classes: a third of the time of all rules
      '@typescript-eslint/no-unsafe-enum-assignment': 'off',
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      // prettier breaks the code
      'max-len': ['error', { code: 10_000, comments: 120, ignoreUrls: true }],
      '@typescript-eslint/no-unused-vars': [
        'error',
        { ignoreRestSiblings: true, argsIgnorePattern: '^_', varsIgnorePattern: '^_' },
      ],
      'no-restricted-syntax': ['error', spreadOfLiteral],
      'no-restricted-properties': [
        'error',
        { object: 'Math', property: 'random', message: 'Take models.random() or a seeded stream of math/random.' },
        {
          object: 'Date',
          property: 'now',
          message: 'Results know no clock; only run/ and models/ may measure time, with performance.now().',
        },
      ],
    },
  },
  {
    // what an engine may compute otherwise in the next version
    files: ['src/math/**'],
    ignores: ['src/**/*.test.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        spreadOfLiteral,
        {
          selector:
            'MemberExpression[object.name="Math"][property.name=/^(pow|a?(sin|cos|tan)h?|atan2|exp|expm1|log|log2|log10|log1p|cbrt|hypot)$/]:not([property.name="atan"])',
          message: 'Engines differ in its last digits: take the function of math/portable.',
        },
        {
          selector: 'BinaryExpression[operator="**"]:not([right.value=2]):not([left.value=2]):not([left.value=10])',
          message: 'Engines differ in the last digits of powers: take pow of math/portable, or multiply.',
        },
      ],
    },
  },
  {
    files: ['src/math/**', 'scripts/**', 'src/test-support/**', 'src/**/*.test.ts'],
    rules: { '@typescript-eslint/no-non-null-assertion': 'off' },
  },
  {
    files: ['src/**/*.test.ts', 'src/testing/**', 'src/test-support/**'],
    rules: { '@typescript-eslint/unbound-method': 'off', '@typescript-eslint/no-unsafe-assignment': 'off' },
  },
  { files: ['**/*.js'], ...tseslint.configs.disableTypeChecked },
)
