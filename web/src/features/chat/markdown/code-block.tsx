/** A code block with its language, a copy button, a preview where it can be shown, and highlighting once it is loaded. */
import { Eye } from 'lucide-react'
import { Button } from '#ui/button.tsx'
import { CopyButton } from '#ui/copy-button.tsx'
import { openPreview } from '../preview/open-preview.ts'
import { previewOf } from '../preview/preview.ts'
import { reachable } from '../reachable.ts'
import { useColours } from './use-colours.ts'

interface Code {
  code: string
  language: string
}

interface CodeBlockProps extends Code {
  isIncomplete?: boolean
}

export function CodeBlock({ code, language, isIncomplete = false }: CodeBlockProps) {
  const text = code.replace(/\n$/, '')
  const preview = isIncomplete ? undefined : previewOf(text, language)
  return (
    <figure className="code-block">
      <figcaption>
        <span>{language === '' ? 'text' : language}</span>
        {preview && (
          <Button size="small" look="quiet" icon={Eye} className="ml-auto" onClick={() => openPreview(preview)}>
            Preview
          </Button>
        )}
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

function Painted({ code, language }: Code) {
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
