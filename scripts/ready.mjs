/**
 * Runs before `npm start` and `npm test` and does only what is needed: install, build the web app, and for tests the
 * Debian packages of the real peers. Plain JavaScript without dependencies, since on a fresh clone nothing is installed
 * yet and the Node.js that runs it may be version 20.
 */
import { buildHelp } from './ready/build-help.mjs'
import { buildWeb } from './ready/build-web.mjs'
import { installDependencies } from './ready/install-dependencies.mjs'
import { installPeers } from './ready/install-peers.mjs'
import { requireRuntime } from './ready/require-runtime.mjs'
import { NotReady } from './ready/run.mjs'

const mode = process.argv[2]

try {
  await requireRuntime('before install')
  await installDependencies()
  await requireRuntime('after install')
  await buildWeb()
  await buildHelp()
  if (mode === 'test') await installPeers()
} catch (error) {
  if (!(error instanceof NotReady)) throw error
  console.error(error.message)
  process.exitCode = 1
}
