/** A pad to draw on with finger, pen or mouse. White in every theme: what is drawn is printed on paper. */
import { type PointerEvent, type RefObject, useEffect, useRef } from 'react'
import { Button } from '#ui/button/button.tsx'
import { useSigning } from '../signing-context.ts'
import { boundsOf, type Point, segmentsOf } from './strokes.ts'

const ink = '#14161c'
/** Pixels of the picture for each pixel of the pad. */
const exportScale = 3

export type Stroke = readonly Point[]

function drawStroke(pen: CanvasRenderingContext2D, stroke: Stroke) {
  pen.strokeStyle = ink
  pen.lineCap = 'round'
  for (const { from, control, to, width } of segmentsOf(stroke)) {
    pen.beginPath()
    pen.lineWidth = width
    pen.moveTo(from.x, from.y)
    pen.quadraticCurveTo(control.x, control.y, to.x, to.y)
    pen.stroke()
  }
}

/** The drawing, cut to its edges, as base64 of a PNG; undefined where nothing was drawn. */
export function pngOf(strokes: readonly Stroke[]): string | undefined {
  const box = boundsOf(strokes)
  const canvas = document.createElement('canvas')
  const pen = canvas.getContext('2d')
  if (box === undefined || pen === null) return undefined
  canvas.width = Math.ceil(box.width * exportScale)
  canvas.height = Math.ceil(box.height * exportScale)
  pen.scale(exportScale, exportScale)
  pen.translate(-box.left, -box.top)
  for (const stroke of strokes) drawStroke(pen, stroke)
  return canvas.toDataURL('image/png').split(',')[1]
}

interface DrawPadProps {
  label: string
  strokes: readonly Stroke[]
  onChange: (strokes: readonly Stroke[]) => void
}

export function DrawPad({ label, strokes, onChange }: DrawPadProps) {
  const { texts } = useSigning()
  const canvasRef = useRef<HTMLCanvasElement>(null)
  useRedraw(canvasRef, strokes)
  const pen = usePen(strokes, onChange)
  return (
    <div className="flex flex-col gap-1.5">
      <div className="relative h-36 overflow-hidden rounded-control border border-b-rule bg-white sm:h-44">
        <span aria-hidden className="absolute inset-x-6 bottom-8 border-rule border-b" />
        <canvas
          ref={canvasRef}
          role="img"
          aria-label={label}
          className="absolute inset-0 size-full touch-none cursor-crosshair"
          {...pen}
        />
      </div>
      <div className="flex items-start justify-between gap-4">
        <p className="text-faint text-sm">{texts.mark.drawHere}</p>
        <Button look="quiet" size="small" disabled={strokes.length === 0} onClick={() => onChange([])}>
          {texts.mark.clear}
        </Button>
      </div>
    </div>
  )
}

/** Draws everything again for each change: a signature has few points, and a resize needs it anyway. */
function useRedraw(canvasRef: RefObject<HTMLCanvasElement | null>, strokes: readonly Stroke[]) {
  useEffect(() => {
    const canvas = canvasRef.current
    const pen = canvas?.getContext('2d')
    if (!canvas || !pen) return
    const draw = () => {
      canvas.width = canvas.clientWidth * devicePixelRatio
      canvas.height = canvas.clientHeight * devicePixelRatio
      pen.scale(devicePixelRatio, devicePixelRatio)
      for (const stroke of strokes) drawStroke(pen, stroke)
    }
    draw()
    const observer = new ResizeObserver(draw)
    observer.observe(canvas)
    return () => observer.disconnect()
  }, [canvasRef, strokes])
}

function usePen(strokes: readonly Stroke[], onChange: DrawPadProps['onChange']) {
  const pointer = useRef<number>(undefined)
  // Several events may come before the next render, and none of their points may be lost.
  const latest = useRef(strokes)
  if (pointer.current === undefined) latest.current = strokes
  const change = (next: readonly Stroke[]) => {
    latest.current = next
    onChange(next)
  }
  const pointsOf = (event: PointerEvent<HTMLCanvasElement>): Point[] => {
    const { left, top } = event.currentTarget.getBoundingClientRect()
    const all = event.nativeEvent.getCoalescedEvents?.() ?? []
    return (all.length > 0 ? all : [event.nativeEvent]).map(({ clientX, clientY, timeStamp, pressure }) => ({
      x: clientX - left,
      y: clientY - top,
      at: timeStamp,
      pressure,
    }))
  }
  const stop = () => {
    pointer.current = undefined
  }
  return {
    onPointerDown: (event: PointerEvent<HTMLCanvasElement>) => {
      if (pointer.current !== undefined || event.button !== 0) return
      pointer.current = event.pointerId
      event.currentTarget.setPointerCapture(event.pointerId)
      change([...latest.current, pointsOf(event)])
    },
    onPointerMove: (event: PointerEvent<HTMLCanvasElement>) => {
      if (pointer.current !== event.pointerId) return
      const last = latest.current.at(-1) ?? []
      change([...latest.current.slice(0, -1), [...last, ...pointsOf(event)]])
    },
    onPointerUp: stop,
    onPointerCancel: stop,
  }
}
