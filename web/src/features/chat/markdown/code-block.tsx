/** A code block with its language, a copy button, and syntax highlighting once it is loaded. */
import { CopyButton } from '#ui/copy-button.tsx'
import { reachable } from '../reachable.ts'
import { useColours } from './use-colours.ts'

interface CodeBlockProps {
  code: string
  language: string
}

export function CodeBlock({ code, language }: CodeBlockProps) {
  const text = code.replace(/\n$/, '')
  return (
    <figure className="code-block">
      <figcaption>
        <span>{language === '' ? 'text' : language}</span>
        <CopyButton text={text} label="Copy code" />
      </figcaption>
      <pre {...reachable}>
        <code>
          <Painted code={text} language={language} />
        </code>
      </pre>
    </figure>
  )
}

function Painted({ code, language }: CodeBlockProps) {
  const lines = useColours(code, language)
  if (lines === undefined) return code
  // While streaming, highlighting lags a little: the rest is shown as plain text.
  const covered = lines.map((line) => line.map(({ text }) => text).join('')).join('\n')
  if (!code.startsWith(covered)) return code
  return (
    <>
      {lines.map((line, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines of code have no identity except their index
        <span key={row}>
          {row > 0 && '\n'}
          {line.map(({ text, color }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: neither do the tokens in them
            <span key={index} style={{ color }}>
              {text}
            </span>
          ))}
        </span>
      ))}
      {code.slice(covered.length)}
    </>
  )
}
