import { defineConfig } from 'vitest/config'

const shared = { globalSetup: [], unstubEnvs: true, hookTimeout: 60_000 }

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
        test: { ...shared, name: 'browser', include: ['server/test/browser/*.test.ts'], testTimeout: 120_000 },
      },
    ],
  },
})
