import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { useMemoryFolder } from './server/test/harness/memory-folder.ts'

useMemoryFolder()

/** What this process has compiled is there for its workers and for the processes that tests start. */
const compileCache = fileURLToPath(new URL('node_modules/.cache/chancery/compile', import.meta.url))
enableCompileCache(compileCache)
process.env.NODE_COMPILE_CACHE = compileCache

/** Node.js loads our TypeScript itself, as in production; Vite's transforms took a minute of processor time per run. */
const experimental = { viteModuleRunner: false, nodeLoader: false }

/** Test files in one worker share its modules: loading the server again for each file took half of the whole run. */
const shared = {
  experimental,
  globalSetup: [],
  setupFiles: ['server/test/harness/each-file.ts'],
  unstubEnvs: true,
  isolate: false,
  hookTimeout: 60_000,
  // Generous, because a busy machine with two cores can be slow.
  expect: { poll: { timeout: 20_000 } },
}

/** More workers than cores, because they wait for timers and other processes. With a browser, a worker waits less. */
const withBrowser = { maxWorkers: 3, sequence: { groupOrder: 0 } }
const withoutBrowser = { maxWorkers: 4, sequence: { groupOrder: 1 } }

export default defineConfig({
  test: {
    globalSetup: ['server/test/harness/global-setup.ts'],
    experimental,
    projects: [
      {
        test: {
          ...shared,
          ...withoutBrowser,
          name: 'server',
          include: [
            'server/**/*.test.ts',
            'contract/**/*.test.ts',
            'plugin/**/*.test.ts',
            'scripts/**/*.test.ts',
            'chaos/**/*.test.ts',
          ],
          exclude: ['server/test/browser/**', '**/node_modules/**'],
          testTimeout: 30_000,
        },
      },
      {
        // What it imports may hold no JSX, which Node.js can't read: through Vite's transforms it took ten times as long.
        test: {
          ...shared,
          ...withoutBrowser,
          name: 'web',
          include: ['web/**/*.test.ts'],
          testTimeout: 30_000,
        },
      },
      {
        test: {
          ...shared,
          ...withBrowser,
          name: 'browser',
          include: ['server/test/browser/*.test.ts'],
          testTimeout: 120_000,
        },
      },
    ],
  },
})
