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
import { hasFormula, hideFormulas, markMath } from './math-marks.ts'
import { SourceRef, SourcesContext } from './source-ref.tsx'
import { refTag, sourceRefs } from './source-refs.ts'

interface MarkdownProps {
  text: string
  isStreaming: boolean
  sources: readonly Source[]
}

let math: MathPlugin | undefined

/** Formulas need a large library, loaded only for replies that contain one. Undefined while it loads. */
function useMath(isNeeded: boolean): MathPlugin | 'failed' | undefined {
  const [plugin, setPlugin] = useState<MathPlugin | 'failed' | undefined>(() => math)
  useEffect(() => {
    if (!isNeeded || plugin) return
    let isCurrent = true
    import('./math.ts').then(
      (loaded) => {
        math = loaded.math
        if (isCurrent) setPlugin(loaded.math)
      },
      // The formula stays readable as text.
      () => isCurrent && setPlugin('failed'),
    )
    return () => {
      isCurrent = false
    }
  }, [isNeeded, plugin])
  return plugin
}

const components = { ...elements, [refTag]: SourceRef }
const safe = Object.values(defaultRehypePlugins)

export const Markdown = memo(function Markdown({ text, isStreaming, sources }: MarkdownProps) {
  const marked = markMath(text, isStreaming)
  const isMath = hasFormula(marked)
  const plugin = useMath(isMath)
  const count = sources.length
  const rehypePlugins = useMemo(
    () => (count === 0 ? safe : [...safe, [sourceRefs, { count }] as [typeof sourceRefs, { count: number }]]),
    [count],
  )
  const plugins = useMemo(() => (plugin && plugin !== 'failed' ? { math: plugin } : {}), [plugin])
  return (
    <SourcesContext value={sources}>
      <Streamdown
        className="markdown"
        mode={isStreaming ? 'streaming' : 'static'}
        isAnimating={isStreaming}
        dir="auto"
        components={components}
        rehypePlugins={rehypePlugins}
        plugins={plugins}
      >
        {isMath && !plugin ? hideFormulas(marked) : marked}
      </Streamdown>
    </SourcesContext>
  )
})
