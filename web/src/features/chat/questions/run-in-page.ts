/**
 * Runs code that a plugin sends (contract, `execute`): in the page itself, as the body of an async function. As a script
 * of its own, because the content security policy allows no `eval`.
 */
import { uuidV4 } from '#lib/browser/uuid.ts'

type Result = { value: unknown } | { error: string }

const words = (problem: unknown) => (problem instanceof Error ? problem.message : String(problem))

function load(source: string): Promise<string | undefined> {
  const url = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }))
  return new Promise((resolve) => {
    let problem: string | undefined
    const onError = ({ filename, message }: ErrorEvent) => {
      if (filename === url) problem = message
    }
    const end = () => {
      removeEventListener('error', onError)
      script.remove()
      URL.revokeObjectURL(url)
      resolve(problem)
    }
    const script = document.createElement('script')
    script.src = url
    script.onload = end
    script.onerror = end
    addEventListener('error', onError)
    document.head.append(script)
  })
}

async function run(code: string): Promise<Result> {
  const name = `run_${uuidV4()}`
  const globals = window as unknown as Record<string, unknown>
  const problem = await load(`window[${JSON.stringify(name)}] = async () => {\n${code}\n}`)
  const made = globals[name]
  delete globals[name]
  if (typeof made !== 'function') return { error: problem ?? 'The code could not be loaded.' }
  try {
    const value: unknown = await made()
    // Only what JSON can say is sent.
    return { value: value === undefined ? null : JSON.parse(JSON.stringify(value) ?? 'null') }
  } catch (failure) {
    return { error: words(failure) }
  }
}

/** The value, or `{ error }`: a failure must be answered too, or the plugin would wait for its time limit. */
export async function runInPage(data: unknown): Promise<unknown> {
  const code = typeof data === 'object' && data !== null && 'code' in data ? data.code : undefined
  if (typeof code !== 'string') return { error: 'There is no code.' }
  const result = await run(code)
  return 'error' in result ? result : result.value
}
