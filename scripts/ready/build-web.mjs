/** Builds the web app when its sources changed since the last build. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { NotReady, root, run } from './run.mjs'
import { readStamp } from './stamp.mjs'

const inputs = [
  'web/src',
  'web/public',
  'web/index.html',
  'web/vite.config.ts',
  'web/compress-assets.ts',
  'web/package.json',
  'contract/src',
  'expression/src',
  'package-lock.json',
]

export const buildWeb = async () => {
  if (!existsSync(join(root, 'web/index.html'))) return
  // Vite empties the folder first, so a build that did not finish leaves no stamp.
  const stamp = await readStamp(join(root, 'web/dist/.stamp'), inputs)
  if (stamp.isFresh) return

  console.log('Building the web app …')
  const { ok, output } = await run('npm', ['run', 'build', '--workspace', 'web'])
  if (!ok) throw new NotReady(`${output}\nThe web app could not be built.`)
  await stamp.write()
}
