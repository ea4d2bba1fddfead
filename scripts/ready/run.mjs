/** Shared by all steps: the project's root, running a program, and the error that ends the script. */
import { spawn } from 'node:child_process'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../../', import.meta.url))
export const binFolder = join(root, 'node_modules', '.bin')

/** Its message is shown to the person at the terminal, without a stack. */
export class NotReady extends Error {}

/**
 * Runs a program in the root with the pinned Node.js first on PATH and keeps what it prints.
 * @param {string} program
 * @param {string[]} args
 * @param {Record<string, string>} [env]
 * @returns {Promise<{ ok: boolean, output: string }>}
 */
export const run = (program, args, env = {}) =>
  new Promise((resolve) => {
    const path = `${binFolder}${delimiter}${process.env.PATH ?? ''}`
    const child = spawn(program, args, {
      cwd: root,
      env: { ...process.env, PATH: path, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    const keep = (/** @type {Buffer} */ chunk) => {
      output += chunk
    }
    child.stdout.on('data', keep)
    child.stderr.on('data', keep)
    child.once('error', (error) => resolve({ ok: false, output: error.message }))
    child.once('close', (code) => resolve({ ok: code === 0, output: output.trim() }))
  })
