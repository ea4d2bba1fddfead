/** Builds the help at `/help` when the documentation changed since the last build. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { NotReady, root, run } from './run.mjs'
import { readStamp } from './stamp.mjs'

const inputs = [
  'docs',
  'deploy/README.md',
  'deploy/ha/README.md',
  'client/README.md',
  'CHANGELOG.md',
  'scripts/help',
  'web/public',
  'web/src/theme.css',
]

/** The stamp is in the folder that a build of the web app empties, so that the help is then built again. */
export const buildHelp = async () => {
  if (!existsSync(join(root, 'scripts/help/build.ts'))) return
  const stamp = await readStamp(join(root, 'web/dist/.help-stamp'), inputs)
  if (stamp.isFresh) return

  console.log('Building the help …')
  const { ok, output } = await run('node', ['--no-warnings', 'scripts/help/build.ts'])
  if (!ok) throw new NotReady(`${output}\nThe help could not be built.`)
  await stamp.write()
}
