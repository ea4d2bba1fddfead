/** The passphrase of a backup or an export: from CHANCERY_PASSPHRASE, a file that CHANCERY_PASSPHRASE_FILE names, or the terminal. */
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { readSecretFile } from '#kernel/config/secret-file.ts'
import { StartError } from '#kernel/process/start-error.ts'

const variable = 'CHANCERY_PASSPHRASE'
const minLength = 12

export const readPassphrase = async (env: NodeJS.ProcessEnv): Promise<string> => {
  const given = readSecretFile(variable, env)
  if (given) return given
  if (process.stdin.isTTY) return ask('Passphrase of the file: ')
  throw new StartError(
    `Set ${variable}, or ${variable}_FILE to a file with it: the secrets in the file are sealed with it.`,
  )
}

/** For a new file: long enough, and typed twice. */
export const choosePassphrase = async (env: NodeJS.ProcessEnv): Promise<string> => {
  const chosen = await readPassphrase(env)
  if ([...chosen].length < minLength)
    throw new StartError(`${variable} must be at least ${minLength} characters long; it has ${[...chosen].length}.`)
  if (!readSecretFile(variable, env) && (await ask('Once more: ')) !== chosen)
    throw new StartError('The two passphrases are not the same.')
  return chosen
}

/** Without showing what is typed. */
const ask = async (question: string): Promise<string> => {
  process.stderr.write(question)
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output: nowhere, terminal: true })
  try {
    return await lines.question('')
  } finally {
    lines.close()
    process.stderr.write('\n')
  }
}
