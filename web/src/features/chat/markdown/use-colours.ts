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
    let isGone = false
    const ask = async () => {
      // One request at a time: text that streams in meanwhile is sent together.
      isAsking.current = true
      const asked = latest.current
      const lines = await colourCode(asked.code, asked.language)
      isAsking.current = false
      setResult({ lines, language: asked.language })
      if (!isGone && latest.current !== asked) await ask()
    }
    if (language !== '' && !isAsking.current) void ask()
    return () => {
      isGone = true
    }
  }, [code, language])
  return result?.language === language ? result.lines : undefined
}
