/** An unpacked release with a data folder: its server, its commands and one person's calls. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

export const say = (/** @type {string} */ line) =>
  console.log(`${(performance.now() / 1000).toFixed(1).padStart(6)} s  ${line}`)

/** Whoever reads the same values elsewhere can restore a backup of it. */
const envOf = (/** @type {string} */ data) => ({
  ...process.env,
  SVC_DATA_DIR: data,
  CHANCERY_PASSPHRASE: 'six pelicans on a sandbank',
})

/** Runs a command to its end, and answers what it printed. */
export const runCommand = (/** @type {string} */ root, /** @type {string} */ data, /** @type {string[]} */ ...args) => {
  const { status, stdout, stderr } = spawnSync(join(root, 'chancery'), args, { encoding: 'utf8', env: envOf(data) })
  if (status !== 0) throw new Error(`chancery ${args.join(' ')} ended with ${status}:\n${stdout}${stderr}`)
  return stdout.trim()
}

/** Starts the server, and answers when it is ready. */
export const startServer = async (/** @type {string} */ root, /** @type {string} */ data) => {
  const began = performance.now()
  const child = spawn(join(root, 'chancery'), ['start'], { stdio: ['ignore', 'pipe', 'inherit'], env: envOf(data) })
  let output = ''
  const listening = await new Promise((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', (text) => {
      output += text
      const listens = /ready at (http:\S+)/.exec(output)?.[1]
      if (listens) resolve(listens)
    })
    child.once('exit', (code) => reject(new Error(`It ended with ${code}:\n${output}`)))
  })
  // The empty root has no /etc/hosts.
  const address = String(listening).replace('localhost', '127.0.0.1')
  say(`ready after ${Math.round(performance.now() - began)} ms`)

  const stop = async () => {
    child.removeAllListeners('exit')
    child.kill('SIGTERM')
    const [code] = await once(child, 'exit')
    say(`stopped with exit code ${code}`)
    if (code !== 0) process.exit(1)
  }

  let token = ''
  const send = async (/** @type {string} */ path, /** @type {object | undefined} */ body, method = 'POST') => {
    const isForm = body instanceof FormData
    const reply = await fetch(`${address}${path}`, {
      ...(body && { method, body: isForm ? body : JSON.stringify(body) }),
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(body && !isForm && { 'content-type': 'application/json' }),
      },
    })
    if (!reply.ok) throw new Error(`${path}: ${reply.status} ${await reply.text()}`)
    return reply
  }
  const ask = async (/** @type {[string, (object | undefined)?, string?]} */ ...call) => {
    const text = await (await send(call[0], call[1], call[2])).text()
    return /^[[{]/.test(text) ? JSON.parse(text) : text
  }
  const download = async (/** @type {string} */ path) => Buffer.from(await (await send(path, undefined)).arrayBuffer())
  const signIn = async (/** @type {string} */ path, /** @type {object} */ body) => {
    token = (await ask(path, body)).token
  }
  return { ask, download, signIn, stop }
}

/** @typedef {Awaited<ReturnType<typeof startServer>>} Server */
