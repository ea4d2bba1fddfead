/**
 * Colours code, away from the page: grammars are large, and the first block of a language may take its time. Each grammar
 * loads when it is first asked for.
 */
import { bundledLanguages, createHighlighter, type Highlighter } from 'shiki'
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript'
import { codeTheme } from './code-theme.ts'
import type { Coloured, ColourRequest } from './colour-code.ts'

/** For one line. What comes after it on that line stays as it was coloured last. */
const lineLimitMs = 3000
const longestLine = 3000

let highlighter: Promise<Highlighter> | undefined

const load = () => {
  // The engine of regular expressions that needs no WebAssembly: the content security policy forbids that.
  highlighter ??= createHighlighter({
    themes: [codeTheme],
    langs: [],
    engine: createJavaScriptRegexEngine({ forgiving: true }),
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
  // Code stays readable without colours, so a grammar that does not load is no failure.
  void colour(data).then(answer, () => answer(undefined))
})
