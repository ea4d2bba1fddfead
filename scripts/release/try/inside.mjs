/**
 * Runs inside the empty root of `try.sh`: starts the release, uses it, stops it and starts it again; makes a backup,
 * restores it into another data folder and starts on that. Each time the same is there. Given an older release too, it
 * is the older one that is used first.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { runCommand, say, startServer } from './installation.mjs'
import { makeThings, readThings } from './things.mjs'

const [first = '', release = ''] = process.argv.slice(2)

/** Where the root can be written after all, the trial shows nothing. */
try {
  mkdirSync('/writable')
  throw new Error('The root can be written.')
} catch (error) {
  if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EROFS') throw error
}

/** @type {Record<string, string> | undefined} */
let expected
const compare = (/** @type {Record<string, string>} */ found) => {
  expected ??= found
  const names = Object.keys(expected)
  const different = names.filter((name) => found[name] !== expected?.[name])
  for (const name of different) console.error(`${name}:\n  was ${expected[name]}\n  is  ${found[name]}`)
  if (different.length > 0) throw new Error('Something is not what it was.')
  say(`there are: ${names.join(', ')}`)
}

say(`user ${process.getuid?.()}, ${runCommand(first, '/data/first', '--version')}`)
const before = await startServer(first, '/data/first')
await makeThings(before)
compare((await readThings(before)).things)
await before.stop()

say(`on the same data: ${runCommand(release, '/data/first', '--version')}`)
const after = await startServer(release, '/data/first')
const { sealed, things } = await readThings(after)
compare(things)
writeFileSync('/data/sealed.pdf', sealed)
say(runCommand(release, '/data/first', 'backup', '/data/chancery.backup'))
say(runCommand(release, '/data/first', 'verify-backup', '/data/chancery.backup'))
await after.stop()

say(runCommand(release, '/data/second', 'restore', '/data/chancery.backup'))
const restored = await startServer(release, '/data/second')
compare((await readThings(restored)).things)
await restored.stop()
