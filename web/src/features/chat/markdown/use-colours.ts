/** The colours of a block of code, while it grows as when it is whole. */
import { useEffect, useRef, useState } from 'react'
import { type Coloured, colourCode } from './colour-code.ts'

/** Undefined until they are there: the plain text is shown meanwhile, in the same place. */
export function useColours(code: string, language: string): Coloured | undefined {
  const [result, setResult] = useState<{ lines: Coloured | undefined; language: string }>()
  const latest = useRef({ code, language })
  const isAsking = useRef(false)
  useEffect(() => {
    latest.current = { code, language }
    let isGone = false
    const ask = async () => {
      // One question at a time: what streams in meanwhile is asked for together.
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
