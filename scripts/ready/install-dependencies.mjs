/** `npm install`, only when the lock file or a package.json changed since the last one that succeeded. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { NotReady, root, run } from './run.mjs'
import { readStamp } from './stamp.mjs'

export const installDependencies = async () => {
  const { workspaces } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  const manifests = ['', ...workspaces].map((folder) => join(folder, 'package.json'))
  const stamp = await readStamp(join(root, 'node_modules/.cache/chancery/install.json'), [
    'package-lock.json',
    ...manifests,
  ])
  if (stamp.isFresh) return

  console.log('Installing dependencies; the first time takes about a minute …')
  // Not `npm ci`: it refuses a lock whose registry lacks optional packages of foreign platforms. `--no-save` keeps
  // npm from rewriting the lock.
  const { ok, output } = await run('npm', ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error'])
  if (!ok) throw new NotReady(`Installing dependencies failed (${reasonOf(output)}): run npm install to see why.`)
  await stamp.write()
}

/** The first line npm marks as an error, without its mark. */
const reasonOf = (/** @type {string} */ output) => {
  const line = output.split('\n').find((text) => /^npm err(or|!)/i.test(text)) ?? output.split('\n').at(-1) ?? ''
  return line.replace(/^npm err(or|!) */i, '') || 'npm said nothing'
}
