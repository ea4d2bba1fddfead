/** The highlighted tokens of a code block, also while it grows. */
import { useEffect, useRef, useState } from 'react'
import { type Coloured, colourCode } from './colour-code.ts'

/** Undefined until loaded: plain text is shown in the meantime. */
export function useColours(code: string, language: string): Coloured | undefined {
  const [result, setResult] = useState<{ lines: Coloured | undefined; language: string }>()
  const latest = useRef({ code, language })
  const isAsking = useRef(false)
  useEffect(() => {
    latest.current = { code, language }
    if (language === '' || isAsking.current) return
    // One request at a time: text that streams in meanwhile is sent together.
    const askUntilLatest = async () => {
      isAsking.current = true
      let asked: typeof latest.current
      do {
        asked = latest.current
        const lines = await colourCode(asked.code, asked.language)
        setResult({ lines, language: asked.language })
      } while (asked !== latest.current)
      isAsking.current = false
    }
    void askUntilLatest()
  }, [code, language])
  return result?.language === language ? result.lines : undefined
}
