/**
 * Syntax highlighting in a worker: grammars are large, and the first block of a language may take a while. Each grammar
 * loads on first use.
 */
import { bundledLanguages, createHighlighter, type Highlighter } from 'shiki'
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript'
import { codeTheme } from './code-theme.ts'
import type { Coloured, ColourRequest } from './colour-code.ts'

/** Per line. The rest of an incomplete line keeps its last colours. */
const lineLimitMs = 3000
const longestLine = 3000

let highlighter: Promise<Highlighter> | undefined

const load = () => {
  // The regex engine without WebAssembly, which the content security policy forbids.
  highlighter ??= createHighlighter({
    themes: [codeTheme],
    langs: [],
    engine: createJavaScriptRegexEngine({ forgiving: true }),
  }).catch((error: unknown) => {
    highlighter = undefined
    throw error
  })
  return highlighter
}

async function colour({ code, language }: ColourRequest): Promise<Coloured | undefined> {
  if (!Object.hasOwn(bundledLanguages, language)) return undefined
  const known = language as keyof typeof bundledLanguages
  const shiki = await load()
  await shiki.loadLanguage(known)
  const lines = shiki.codeToTokensBase(code, {
    lang: known,
    theme: codeTheme,
    tokenizeTimeLimit: lineLimitMs,
    tokenizeMaxLineLength: longestLine,
  })
  return lines.map((line) => line.map(({ content, color }) => ({ text: content, color })))
}

addEventListener('message', ({ data }: MessageEvent<ColourRequest>) => {
  const answer = (lines: Coloured | undefined) => postMessage({ id: data.id, lines })
  // Code is readable without colours, so a grammar that fails to load isn't an error.
  void colour(data).then(answer, () => answer(undefined))
})
