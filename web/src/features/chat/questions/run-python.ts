/** Python that a model wrote, run for the server's tool `run_python`. Both files are loaded with the first run. */
export async function runPython(data: unknown, signal: AbortSignal) {
  const code = typeof data === 'object' && data !== null && 'code' in data ? data.code : undefined
  if (typeof code !== 'string') return { output: '', error: 'There is no code.' }
  try {
    const { runCode } = await import('../run-code/interpreter.ts')
    return await runCode({ language: 'python', code, signal })
  } catch {
    return { output: '', error: 'The interpreter couldn’t be loaded.' }
  }
}
