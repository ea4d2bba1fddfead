/**
 * Streaming Markdown. Loaded after the page, because it is its largest part. The text comes from a model, so raw HTML
 * is sanitized, links open in a new tab and remote images aren't fetched.
 */
import './markdown.css'
import type { MathPlugin } from '@streamdown/math'
import { memo, useEffect, useMemo, useState } from 'react'
import { defaultRehypePlugins, Streamdown } from 'streamdown'
import type { Source } from '../history/parts.ts'
import { elements } from './elements.tsx'
import { hasMath, markMath } from './math-marks.ts'
import { SourceRef, SourcesContext } from './source-ref.tsx'
import { refTag, sourceRefs } from './source-refs.ts'

interface MarkdownProps {
  text: string
  isStreaming: boolean
  sources: readonly Source[]
}

let math: MathPlugin | undefined

/** Formulas need a large library, loaded only for replies that contain one. */
function useMath(isNeeded: boolean): MathPlugin | undefined {
  const [plugin, setPlugin] = useState(() => math)
  useEffect(() => {
    if (!isNeeded || plugin) return
    let isCurrent = true
    void import('./math.ts').then(
      (loaded) => {
        math = loaded.math
        if (isCurrent) setPlugin(loaded.math)
      },
      // On failure the formula stays readable as text.
      () => undefined,
    )
    return () => {
      isCurrent = false
    }
  }, [isNeeded, plugin])
  return isNeeded ? plugin : undefined
}

const components = { ...elements, [refTag]: SourceRef }
const safe = Object.values(defaultRehypePlugins)

export const Markdown = memo(function Markdown({ text, isStreaming, sources }: MarkdownProps) {
  const plugin = useMath(hasMath(text))
  const count = sources.length
  const rehypePlugins = useMemo(
    () => (count === 0 ? safe : [...safe, [sourceRefs, { count }] as [typeof sourceRefs, { count: number }]]),
    [count],
  )
  const plugins = useMemo(() => (plugin ? { math: plugin } : {}), [plugin])
  return (
    <SourcesContext value={sources}>
      <Streamdown
        key={plugin ? 'math' : 'plain'}
        className="markdown"
        mode={isStreaming ? 'streaming' : 'static'}
        isAnimating={isStreaming}
        dir="auto"
        components={components}
        rehypePlugins={rehypePlugins}
        plugins={plugins}
      >
        {markMath(text)}
      </Streamdown>
    </SourcesContext>
  )
})
