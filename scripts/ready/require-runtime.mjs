/** Which Node.js will run Chancery: the one pinned in the lock file, or elsewhere the one found, if new enough. */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { binFolder, NotReady, root } from './run.mjs'

const oldest = 24

/** @param {'before install' | 'after install'} moment */
export const requireRuntime = async (moment) => {
  const platform = `${process.platform}-${process.arch}`
  const { optionalDependencies } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  const isPinned =
    moment === 'before install' ? `node-${platform}` in optionalDependencies : existsSync(join(binFolder, 'node'))
  if (isPinned || Number.parseInt(process.versions.node, 10) >= oldest) return
  throw new NotReady(
    `Chancery brings no Node.js for ${platform} and needs version ${oldest} or later, but this is ${process.version}: install a newer Node.js.`,
  )
}
