/** A block of code: its language, a way to copy it, and colours once they are there. */
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
  // While it streams the colours are a little behind: what they do not cover yet is shown plain.
  const covered = lines.map((line) => line.map(({ text }) => text).join('')).join('\n')
  if (!code.startsWith(covered)) return code
  return (
    <>
      {lines.map((line, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines of code have no identity but their place
        <span key={row}>
          {row > 0 && '\n'}
          {line.map(({ text, color }, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: nor have the words in them
            <span key={place} style={{ color }}>
              {text}
            </span>
          ))}
        </span>
      ))}
      {code.slice(covered.length)}
    </>
  )
}
