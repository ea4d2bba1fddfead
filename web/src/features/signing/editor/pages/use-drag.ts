/** Dragging on a page: moves selected fields, resizes one, or draws a frame that selects. */
import { type PointerEvent, type RefObject, useState } from 'react'
import type { EditorField } from '../state/fields.ts'
import { type Box, boxBetween, type Corner, limitMove, moved, overlaps, resized, snap } from '../state/geometry.ts'
import { keysAfterClick, keysAfterPress } from '../state/press.ts'
import type { Editor } from '../use-editor.ts'

interface Start {
  x: number
  y: number
}

type Drag =
  | { kind: 'move'; start: Start; keys: ReadonlySet<string>; lead: EditorField; isShift: boolean }
  | { kind: 'resize'; start: Start; field: EditorField; corner: Corner }
  | { kind: 'frame'; start: Start }

export interface DragView {
  /** Fields as they are shown while they are dragged. */
  shown: readonly EditorField[]
  frame?: Box
  vertical: readonly number[]
  horizontal: readonly number[]
}

/** A dragged field snaps to an edge within this distance. */
const reachPx = 6
/** A hand is not still: what moves less was clicked. */
const slackPx = 3

interface Page {
  editor: Editor
  /** The fields of this page. */
  fields: readonly EditorField[]
  pageRef: RefObject<HTMLElement | null>
}

export function useDrag({ editor, fields, pageRef }: Page) {
  const [drag, setDrag] = useState<Drag>()
  const [view, setView] = useState<DragView>()

  const at = (event: PointerEvent): Start => {
    const { left, top, width, height } = pageRef.current?.getBoundingClientRect() ?? new DOMRect(0, 0, 1, 1)
    return { x: (event.clientX - left) / width, y: (event.clientY - top) / height }
  }
  const begin = (event: PointerEvent, next: Drag) => {
    event.currentTarget.setPointerCapture(event.pointerId)
    setDrag(next)
  }
  const onFieldDown = (event: PointerEvent, field: EditorField) => {
    if (event.button !== 0) return
    event.stopPropagation()
    const keys = keysAfterPress(editor.selected, field.key, event.shiftKey)
    editor.select(keys)
    if (!keys.has(field.key)) return
    begin(event, { kind: 'move', start: at(event), keys, lead: field, isShift: event.shiftKey })
  }
  const onCornerDown = (event: PointerEvent, field: EditorField, corner: Corner) => {
    event.stopPropagation()
    begin(event, { kind: 'resize', start: at(event), field, corner })
  }
  const onPageDown = (event: PointerEvent) => {
    if (event.button !== 0 || event.pointerType === 'touch') return
    editor.select([])
    begin(event, { kind: 'frame', start: at(event) })
  }
  const onMove = (event: PointerEvent) => {
    if (drag === undefined || pageRef.current === null) return
    const { clientWidth, clientHeight } = pageRef.current
    const now = at(event)
    const isDragged =
      view || Math.hypot((now.x - drag.start.x) * clientWidth, (now.y - drag.start.y) * clientHeight) >= slackPx
    if (!isDragged) return
    const reach = event.altKey ? { x: 0, y: 0 } : { x: reachPx / clientWidth, y: reachPx / clientHeight }
    setView(viewOf(drag, fields, { now, reach }))
  }
  const onUp = () => {
    if (drag?.kind === 'frame' && view?.frame) editor.select(caught(fields, view.frame))
    else if (view) editor.replace(view.shown)
    else if (drag?.kind === 'move') editor.select(keysAfterClick(drag.keys, drag.lead.key, drag.isShift))
    setDrag(undefined)
    setView(undefined)
  }
  const onCancel = () => {
    setDrag(undefined)
    setView(undefined)
  }
  return {
    view,
    onFieldDown,
    onCornerDown,
    page: { onPointerDown: onPageDown, onPointerMove: onMove, onPointerUp: onUp, onPointerCancel: onCancel },
  }
}

const caught = (fields: readonly EditorField[], frame: Box) =>
  fields.filter((field) => overlaps(field, frame)).map(({ key }) => key)

interface Pointer {
  now: Start
  reach: { x: number; y: number }
}

function viewOf(drag: Drag, fields: readonly EditorField[], { now, reach }: Pointer): DragView {
  const by = { dx: now.x - drag.start.x, dy: now.y - drag.start.y }
  const plain = { vertical: [], horizontal: [] }
  if (drag.kind === 'frame') return { ...plain, shown: [], frame: boxBetween(drag.start, now) }
  if (drag.kind === 'resize') return { ...plain, shown: [{ ...drag.field, ...resized(drag.field, drag.corner, by) }] }
  const group = fields.filter(({ key }) => drag.keys.has(key))
  const others = fields.filter(({ key }) => !drag.keys.has(key))
  const free = limitMove(group, by)
  const pull = snap(moved(drag.lead, free), others, reach)
  const move = limitMove(group, { dx: free.dx + pull.dx, dy: free.dy + pull.dy })
  return { shown: group.map((field) => moved(field, move)), vertical: pull.vertical, horizontal: pull.horizontal }
}
