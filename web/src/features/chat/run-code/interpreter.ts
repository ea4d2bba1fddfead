/**
 * Runs Python or JavaScript of a conversation in a worker of a sandboxed frame: no origin, no network, no storage. Each
 * run has a frame of its own, which is removed when it ends, so nothing of one run is left for the next.
 */

/** The files of the Python interpreter; none if it isn't installed. */
declare const __PYTHON_FILES__: readonly string[]

export type RunnableLanguage = 'python' | 'javascript'

export interface RunResult {
  output: string
  error?: string
}

interface Run {
  language: RunnableLanguage
  code: string
  signal: AbortSignal
  onOutput?: (output: string) => void
}

const framePage = '/interpreter.html'
/** The interpreter is 13 MB the first time; later it comes from the browser's cache. */
const loadMs = 120_000
const runMs = 30_000
const maxOutputLength = 50_000

const nameOf = (address: string) => address.slice(address.lastIndexOf('/') + 1)

async function loadFile(address: string, signal: AbortSignal): Promise<[string, ArrayBuffer]> {
  const reply = await fetch(address, { signal })
  if (!reply.ok) throw new Error('The Python interpreter couldn’t be loaded. Try again.')
  return [nameOf(address), await reply.arrayBuffer()]
}

async function filesFor(language: RunnableLanguage, signal: AbortSignal): Promise<Record<string, ArrayBuffer>> {
  if (language === 'javascript') return {}
  if (__PYTHON_FILES__.length === 0) throw new Error('Python isn’t installed on this server.')
  return Object.fromEntries(await Promise.all(__PYTHON_FILES__.map((address) => loadFile(address, signal))))
}

function openFrame(): HTMLIFrameElement {
  const frame = document.createElement('iframe')
  frame.setAttribute('sandbox', 'allow-scripts')
  frame.hidden = true
  frame.title = 'Code interpreter'
  frame.src = framePage
  return frame
}

/** Never rejects: what goes wrong is the result's error, beside what was printed until then. */
export async function runCode({ language, code, signal, onOutput }: Run): Promise<RunResult> {
  let output = ''
  let isStarted = false
  const frame = openFrame()
  const { promise, resolve } = Promise.withResolvers<string | undefined>()
  let timer = setTimeout(() => resolve('The interpreter took too long to load.'), loadMs)
  const onMessage = ({ source, data }: MessageEvent) => {
    if (source === null || source !== frame.contentWindow) return
    if (data?.isStarted === true && !isStarted) {
      isStarted = true
      clearTimeout(timer)
      timer = setTimeout(() => resolve(`Stopped after ${runMs / 1000} seconds.`), runMs)
    }
    if (typeof data?.output === 'string' && output.length < maxOutputLength) {
      output = (output + data.output).slice(0, maxOutputLength)
      onOutput?.(output)
    }
    if (data?.isDone === true) resolve(typeof data.error === 'string' ? data.error : undefined)
  }
  const stop = () => resolve('Stopped.')
  signal.addEventListener('abort', stop, { once: true })
  addEventListener('message', onMessage)
  try {
    const files = await filesFor(language, signal)
    signal.throwIfAborted()
    frame.onload = () =>
      frame.contentWindow?.postMessage({ language, code, files }, { targetOrigin: '*', transfer: Object.values(files) })
    document.body.append(frame)
    const error = await promise
    return { output, ...(error !== undefined && { error: error.slice(0, 4000) }) }
  } catch (problem) {
    return { output: '', error: signal.aborted ? 'Stopped.' : String((problem as Error).message) }
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', stop)
    removeEventListener('message', onMessage)
    frame.remove()
  }
}
