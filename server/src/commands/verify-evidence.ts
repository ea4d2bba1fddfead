import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Command } from './command.ts'

/** It stays a script of its own, which shares nothing with the server and which anybody can read and run. */
const script = fileURLToPath(new URL('../../../scripts/verify-evidence.mjs', import.meta.url))

export const verifyEvidence: Command = {
  name: 'verify-evidence',
  arguments: ['FILE', '[ORIGINAL]'],
  sentence: "Checks a document's audit log and evidence, without the database.",
  details: `FILE is the evidence.json that is attached to every sealed PDF (pdfdetach -save 1 sealed.pdf). With ORIGINAL, also that
this is one of the files that were signed. Exits with 1 where something doesn't fit, with 2 where there is nothing to check.`,
  run: async ({ env, given, say }) => {
    const paths = [given.FILE, given.ORIGINAL].filter((path) => path !== undefined)
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [script, ...paths.map((path) => resolve(env.INIT_CWD ?? '', path))],
      { encoding: 'utf8' },
    )
    say(`${stdout}${stderr}`.trimEnd())
    return status ?? 1
  },
}
