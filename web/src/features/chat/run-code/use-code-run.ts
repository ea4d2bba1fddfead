/** Running the code of a code block: where it can be run, what it printed, and how to stop it. */
import { useEffect, useRef, useState } from 'react'
import type { RunnableLanguage, RunResult } from './interpreter.ts'

const languages: Readonly<Record<string, RunnableLanguage>> = {
  python: 'python',
  py: 'python',
  javascript: 'javascript',
  js: 'javascript',
}

export const runnableIn = (language: string): RunnableLanguage | undefined => languages[language.toLowerCase()]

interface CodeRun extends RunResult {
  isRunning: boolean
}

export function useCodeRun() {
  const [run, setRun] = useState<CodeRun>()
  const current = useRef<AbortController>(undefined)
  // A code block that is gone needs no result.
  useEffect(() => () => current.current?.abort(), [])
  const start = async (language: RunnableLanguage, code: string) => {
    const controller = new AbortController()
    current.current = controller
    setRun({ output: '', isRunning: true })
    const { runCode } = await import('./interpreter.ts')
    const onOutput = (output: string) => setRun({ output, isRunning: true })
    const result = await runCode({ language, code, signal: controller.signal, onOutput })
    setRun({ ...result, isRunning: false })
  }
  return { run, start, stop: () => current.current?.abort() }
}
