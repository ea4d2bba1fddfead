import { defineConfig } from 'vitest/config'

/** Files of one worker share its modules: loading the server anew for each cost half of the whole run. */
const shared = {
  globalSetup: [],
  unstubEnvs: true,
  isolate: false,
  hookTimeout: 60_000,
  // Two cores are shared by many: what is waited for may take its time.
  expect: { poll: { timeout: 20_000 } },
}

export default defineConfig({
  test: {
    globalSetup: ['server/test/harness/global-setup.ts'],
    maxWorkers: 3,
    projects: [
      {
        test: {
          ...shared,
          name: 'server',
          include: ['server/**/*.test.ts', 'contract/**/*.test.ts', 'scripts/**/*.test.ts', 'web/**/*.test.ts'],
          exclude: ['server/test/browser/**', '**/node_modules/**'],
          testTimeout: 30_000,
        },
      },
      {
        test: {
          ...shared,
          name: 'browser',
          include: ['server/test/browser/*.test.ts'],
          globalSetup: ['server/test/harness/browser-setup.ts'],
          testTimeout: 120_000,
        },
      },
    ],
  },
})
