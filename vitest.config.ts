import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { useMemoryFolder } from './server/test/harness/memory-folder.ts'
import { workerFlags } from './server/test/harness/worker-flags.ts'

useMemoryFolder()
/** Of `main.ts`, for the workers as well: each spends 4.8 s of processor time on its first app, and 6.7 s without. */
process.env.NODE_COMPILE_CACHE = fileURLToPath(new URL('node_modules/.cache/chancery/compile', import.meta.url))

/** Node.js loads our TypeScript itself, as in production; Vite's transforms took a minute of processor time per run. */
const experimental = { viteModuleRunner: false, nodeLoader: false }

/** Test files in one worker share its modules: loading the server again for each file took half of the whole run. */
const shared = {
  experimental,
  globalSetup: [],
  setupFiles: ['server/test/harness/each-file.ts'],
  unstubEnvs: true,
  isolate: false,
  execArgv: workerFlags,
  hookTimeout: 60_000,
  // A machine that stands still for seconds fails a test by chance. What needed it is marked “(retry x1)”: mend it.
  retry: 1,
  // Generous, because a busy machine with two cores can be slow.
  expect: { poll: { timeout: 20_000 } },
}

/**
 * One worker more than cores, because they wait for timers and other processes. Each compiles the server for itself: with
 * four, a run takes 5 % longer. `npm test` runs both projects at the same time, with three workers in all.
 */
const maxWorkers = 3
const withBrowser = { maxWorkers, sequence: { groupOrder: 0 } }
const withoutBrowser = { maxWorkers, sequence: { groupOrder: 1 } }

export default defineConfig({
  test: {
    globalSetup: ['server/test/harness/global-setup.ts'],
    experimental,
    projects: [
      {
        // Files that the tests of `web` import may hold no JSX, which Node.js can't read: through Vite's transforms
        // they took ten times as long.
        test: {
          ...shared,
          ...withoutBrowser,
          name: 'node',
          include: ['{server,contract,expression,plugin,client,cli,scripts,chaos,web}/**/*.test.ts'],
          exclude: ['server/test/browser/**', '**/node_modules/**'],
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
