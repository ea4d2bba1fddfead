/** Colours for code: comments, strings, numbers and words that a language keeps for itself. */
import { escapeHtml } from './html.ts'

const words = new Set(
  'async await break case catch class const continue def else export extends false finally for from function if import in interface is let new null of or return server static switch this throw true try type typeof undefined while with yield location upstream True False None not and curl npm node export sudo'.split(
    ' ',
  ),
)

const token =
  /((?<!:)\/\/.*|(?<=^|\s)#.*|\/\*[\s\S]*?\*\/)|("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`)|(\b\d[\d_]*(?:\.\d+)?\b)|([A-Za-z_$][\w$]*)/gm

const span = (kind: string, text: string): string => `<span class="c-${kind}">${escapeHtml(text)}</span>`

export const highlight = (code: string, language: string | undefined): string => {
  if (!language || language === 'text') return escapeHtml(code)
  let html = ''
  let at = 0
  for (const { 0: whole, 1: comment, 2: string, 3: number, 4: word, index } of code.matchAll(token)) {
    html += escapeHtml(code.slice(at, index))
    if (comment !== undefined) html += span('comment', comment)
    else if (string !== undefined) html += span('string', string)
    else if (number !== undefined) html += span('number', number)
    else html += word !== undefined && words.has(word) ? span('word', word) : escapeHtml(whole)
    at = index + whole.length
  }
  return html + escapeHtml(code.slice(at))
}

export const codeBlock = (code: string, language?: string): string =>
  `<figure class="code"><button type="button" class="copy" hidden>Copy</button><pre tabindex="0"><code>${highlight(code, language)}</code></pre></figure>`
