/**
 * A code block with its language and a copy button; what can be shown has a preview, what can be run is run below.
 * Highlighting comes once it is loaded.
 */
import { Eye, Play, Square } from 'lucide-react'
import { Button } from '#ui/button/button.tsx'
import { CopyButton } from '#ui/feedback/copy-button.tsx'
import { openPreview } from '../preview/open-preview.ts'
import { previewOf } from '../preview/preview.ts'
import { reachable } from '../reachable.ts'
import { RunOutput } from '../run-code/run-output.tsx'
import { runnableIn, useCodeRun } from '../run-code/use-code-run.ts'
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
  const runnable = isIncomplete ? undefined : runnableIn(language)
  const { run, start, stop } = useCodeRun()
  return (
    <figure className="code-block">
      <figcaption>
        <span className="mr-auto">{language === '' ? 'text' : language}</span>
        {preview && (
          <Button size="small" look="quiet" icon={Eye} onClick={() => openPreview(preview)}>
            Preview
          </Button>
        )}
        {runnable && !run?.isRunning && (
          <Button size="small" look="quiet" icon={Play} onClick={() => start(runnable, text)}>
            Run
          </Button>
        )}
        {run?.isRunning && (
          <Button size="small" look="quiet" icon={Square} onClick={stop}>
            Stop
          </Button>
        )}
        <CopyButton text={text} label="Copy code" />
      </figcaption>
      <pre {...reachable}>
        <code>
          <Painted code={text} language={language} />
        </code>
      </pre>
      {run && <RunOutput run={run} />}
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
