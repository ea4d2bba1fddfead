/** A field's value, drawn in the units of the page, so that it grows and shrinks with the page. */
import type { FieldType, FieldValue } from '@chancery/contract/signing/signing.ts'
import type { PageSize } from './pdf-file.tsx'
import { margin, signatureSize, textSize } from './text-size.ts'

interface FieldValueProps {
  field: { type: FieldType; width: number; height: number }
  value: FieldValue
  page: PageSize
}

const ink = '#14161c'

export function FieldValueView({ field, value, page }: FieldValueProps) {
  if (typeof value === 'object' && 'png' in value)
    return (
      <img src={`data:image/png;base64,${value.png}`} alt="" className="absolute inset-0 size-full object-contain" />
    )
  const [width, height] = [field.width * page.width, field.height * page.height]
  const viewBox = `0 0 ${width} ${height}`
  if (typeof value === 'boolean') return value ? <Tick viewBox={viewBox} width={width} height={height} /> : null
  const isMark = typeof value === 'object'
  const text = isMark ? value.typed : value
  return (
    <svg viewBox={viewBox} aria-hidden="true" className="absolute inset-0 size-full">
      <text
        x={isMark ? width / 2 : margin}
        y={height / 2}
        dominantBaseline="central"
        textAnchor={isMark ? 'middle' : 'start'}
        fontSize={(isMark ? signatureSize : textSize)(text, { width, height })}
        fontStyle={isMark ? 'italic' : 'normal'}
        fill={ink}
        className={isMark ? 'font-serif' : 'font-sans'}
      >
        {text}
      </text>
    </svg>
  )
}

interface TickProps {
  viewBox: string
  width: number
  height: number
}

const Tick = ({ viewBox, width, height }: TickProps) => (
  <svg viewBox={viewBox} aria-hidden="true" className="absolute inset-0 size-full">
    <path
      d={`M${width * 0.2} ${height * 0.52}L${width * 0.42} ${height * 0.76}L${width * 0.8} ${height * 0.24}`}
      fill="none"
      stroke={ink}
      strokeWidth={Math.min(width, height) * 0.12}
      strokeLinecap="round"
      strokeLinejoin="round"
    />
  </svg>
)

/** A field's position on its page, as CSS. */
export const positionOf = ({ x, y, width, height }: { x: number; y: number; width: number; height: number }) => ({
  left: `${x * 100}%`,
  top: `${y * 100}%`,
  width: `${width * 100}%`,
  height: `${height * 100}%`,
})
