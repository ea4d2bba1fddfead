/** The fields of one page, to drag, resize and select. New ones are dropped from the palette. */

import type { SigningDocument } from '@chancery/contract/signing/documents.ts'
import { type FieldType, fieldTypes } from '@chancery/contract/signing/signing.ts'
import { type DragEvent, useRef } from 'react'
import { cx } from '#ui/class-names.ts'
import { fieldLabels } from '../../documents/labels.tsx'
import { positionOf } from '../../pdf/field-value.tsx'
import type { PageSize } from '../../pdf/pdf-file.tsx'
import { colourOf } from '../colours.ts'
import type { EditorField } from '../state/fields.ts'
import type { Corner } from '../state/geometry.ts'
import type { Editor, PageRef } from '../use-editor.ts'
import { useDrag } from './use-drag.ts'

/** The type of a dragged palette item, which no other program has. */
export const dragType = 'application/x-chancery-field'

interface EditorPageProps {
  document: SigningDocument
  editor: Editor
  target: PageRef
  size: PageSize
  /** The owner of new fields. */
  recipientId: string | undefined
  onActive: () => void
}

export function EditorPage({ document, editor, target, size, recipientId, onActive }: EditorPageProps) {
  const pageRef = useRef<HTMLDivElement>(null)
  const fields = editor.fields.filter(({ fileId, page }) => fileId === target.fileId && page === target.page)
  const drag = useDrag({ editor, fields, pageRef })
  const dragged = new Map(drag.view?.shown.map((field) => [field.key, field]))

  const onDrop = (event: DragEvent<HTMLElement>) => {
    const type = typeIn(event.dataTransfer.getData(dragType))
    if (type === undefined || recipientId === undefined) return
    event.preventDefault()
    const { left, top, width, height } = event.currentTarget.getBoundingClientRect()
    const spot = { ...target, size, x: (event.clientX - left) / width, y: (event.clientY - top) / height }
    editor.add(type, recipientId, spot)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only for pointers; by keyboard the palette places fields
    <div
      ref={pageRef}
      className="absolute inset-0"
      onPointerEnter={onActive}
      onDragOver={(event) => event.dataTransfer.types.includes(dragType) && event.preventDefault()}
      onDrop={onDrop}
      {...drag.page}
    >
      {fields.map((field) => (
        <FieldBox
          key={field.key}
          field={dragged.get(field.key) ?? field}
          recipientName={document.recipients.find(({ id }) => id === field.recipientId)?.name ?? ''}
          colour={colourOf(document.recipients, field.recipientId)}
          isSelected={editor.selected.has(field.key)}
          hasCorners={editor.selected.size === 1 && editor.selected.has(field.key)}
          onDown={drag.onFieldDown}
          onCornerDown={drag.onCornerDown}
          onChoose={() => editor.select([field.key])}
        />
      ))}
      {drag.view?.vertical.map((line) => (
        <span key={line} className="absolute inset-y-0 w-px bg-[#b23a2b]" style={{ left: `${line * 100}%` }} />
      ))}
      {drag.view?.horizontal.map((line) => (
        <span key={line} className="absolute inset-x-0 h-px bg-[#b23a2b]" style={{ top: `${line * 100}%` }} />
      ))}
      {drag.view?.frame && (
        <span className="absolute border border-[#191b22] bg-[#191b22]/10" style={positionOf(drag.view.frame)} />
      )}
    </div>
  )
}

const fieldElementId = ({ key }: Pick<EditorField, 'key'>) => `field-${key}`

export const scrollToField = (field: Pick<EditorField, 'key'>) =>
  document.getElementById(fieldElementId(field))?.scrollIntoView({ block: 'center', behavior: 'smooth' })

const typeIn = (text: string): FieldType | undefined => fieldTypes.find((type) => type === text)

const corners: readonly { corner: Corner; look: string }[] = [
  { corner: 'nw', look: '-top-1.5 -left-1.5 cursor-nwse-resize' },
  { corner: 'ne', look: '-top-1.5 -right-1.5 cursor-nesw-resize' },
  { corner: 'sw', look: '-bottom-1.5 -left-1.5 cursor-nesw-resize' },
  { corner: 'se', look: '-right-1.5 -bottom-1.5 cursor-nwse-resize' },
]

type Drag = ReturnType<typeof useDrag>

interface FieldBoxProps {
  field: EditorField
  recipientName: string
  colour: string
  isSelected: boolean
  hasCorners: boolean
  onDown: Drag['onFieldDown']
  onCornerDown: Drag['onCornerDown']
  onChoose: () => void
}

function FieldBox({
  field,
  recipientName,
  colour,
  isSelected,
  hasCorners,
  onDown,
  onCornerDown,
  onChoose,
}: FieldBoxProps) {
  const name = field.label ?? fieldLabels[field.type]
  return (
    <div id={fieldElementId(field)} className="absolute" style={{ ...positionOf(field), color: colour }}>
      <button
        type="button"
        aria-label={`${name} for ${recipientName}`}
        aria-pressed={isSelected}
        onPointerDown={(event) => onDown(event, field)}
        // By keyboard: a press of Enter or Space has no pointer.
        onClick={(event) => event.detail === 0 && onChoose()}
        className={cx(
          'absolute inset-0 cursor-move touch-none overflow-hidden rounded-[3px] border bg-current/10 @container-[size]',
          isSelected ? 'border-2 border-current' : 'border-current/60',
          !field.required && 'border-dashed',
        )}
      >
        <span className="absolute inset-0 flex items-center justify-center truncate px-1 font-medium text-[min(0.75rem,70cqh)] leading-none">
          {field.type === 'CHECKBOX' ? '' : name}
        </span>
      </button>
      {hasCorners &&
        corners.map(({ corner, look }) => (
          <span
            key={corner}
            onPointerDown={(event) => onCornerDown(event, field, corner)}
            className={cx('absolute z-10 size-3 touch-none rounded-full border-2 border-current bg-white', look)}
          />
        ))}
    </div>
  )
}
