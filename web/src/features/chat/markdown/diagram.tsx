/**
 * A mermaid diagram, rendered once its source is complete and shown as an image, in which nothing can run or be
 * fetched. The source can be shown instead, and is shown if rendering fails.
 */
import { useEffect, useState } from 'react'
import { useIsDark } from '#lib/browser/theme.ts'
import { Button } from '#ui/button/button.tsx'
import { Skeleton } from '#ui/feedback/states.tsx'
import { CodeBlock } from './code-block.tsx'

let count = 0

const colour = (name: string) => {
  const probe = document.createElement('span')
  probe.style.color = `var(--${name})`
  document.body.append(probe)
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}

interface Picture {
  url: string
  /** The rendered size, so it is neither enlarged nor shifts the text when it loads. */
  width: number
  height: number
}

function pictureOf(svg: string): Picture {
  const [, width = '0', height = '0'] = /viewBox="\S+ \S+ ([\d.]+) ([\d.]+)"/.exec(svg) ?? []
  return {
    url: `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`,
    width: Math.ceil(Number(width)),
    height: Math.ceil(Number(height)),
  }
}

async function draw(source: string): Promise<Picture> {
  const { createMermaidPlugin } = await import('@streamdown/mermaid')
  const [ink, line, surface, sunken] = [colour('ink'), colour('rule'), colour('surface'), colour('sunken')]
  const mermaid = createMermaidPlugin().getMermaid({
    startOnLoad: false,
    securityLevel: 'strict',
    suppressErrorRendering: true,
    htmlLabels: false,
    flowchart: { htmlLabels: false },
    fontFamily: 'ui-sans-serif, system-ui, sans-serif',
    theme: 'base',
    themeVariables: {
      background: surface,
      primaryColor: sunken,
      primaryTextColor: ink,
      primaryBorderColor: line,
      secondaryColor: surface,
      tertiaryColor: surface,
      lineColor: line,
      textColor: ink,
      edgeLabelBackground: surface,
    },
  })
  count += 1
  const { svg } = await mermaid.render(`diagram-${count}`, source)
  return pictureOf(svg)
}

export function Diagram({ code, isIncomplete }: { code: string; isIncomplete: boolean }) {
  const isDark = useIsDark()
  const [picture, setPicture] = useState<Picture | 'failed'>()
  const [isSource, setSource] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a theme change renders it again
  useEffect(() => {
    if (isIncomplete) return
    let isCurrent = true
    draw(code).then(
      (drawn) => isCurrent && setPicture(drawn),
      () => isCurrent && setPicture('failed'),
    )
    return () => {
      isCurrent = false
    }
  }, [code, isIncomplete, isDark])

  if (isIncomplete || isSource || picture === 'failed') {
    return (
      <>
        <CodeBlock code={code} language="mermaid" />
        {isSource && (
          <Button size="small" onClick={() => setSource(false)}>
            Show diagram
          </Button>
        )}
      </>
    )
  }
  return (
    <figure className="diagram">
      {picture === undefined ? (
        <Skeleton className="h-48 w-full" />
      ) : (
        <img src={picture.url} width={picture.width} height={picture.height} alt="Diagram" />
      )}
      <Button size="small" look="quiet" onClick={() => setSource(true)}>
        Show source
      </Button>
    </figure>
  )
}
