/** A signature or initials: drawn, typed or uploaded. */
import type { Mark } from '@chancery/contract/signing/signing.ts'
import { type ChangeEvent, useState } from 'react'
import { Segmented } from '#ui/form/choices.tsx'
import { Field } from '#ui/form/field.tsx'
import { TextInput } from '#ui/form/inputs.tsx'
import { useSigning } from '../signing-context.ts'
import { DrawPad, pngOf, type Stroke } from './draw-pad.tsx'
import { readPicture } from './read-picture.ts'

type Way = 'draw' | 'type' | 'upload'

export interface MarkDraft {
  way: Way
  strokes: readonly Stroke[]
  typed: string
  picture?: string | undefined
}

/** Fingers draw, keyboards type. */
export const beginMark = (typed: string): MarkDraft => ({
  way: matchMedia('(pointer: coarse)').matches ? 'draw' : 'type',
  strokes: [],
  typed,
})

export function markOf({ way, strokes, typed, picture }: MarkDraft): Mark | null {
  if (way === 'type') return typed.trim() === '' ? null : { typed: typed.trim() }
  const png = way === 'draw' ? pngOf(strokes) : picture
  return png === undefined ? null : { png }
}

interface MarkInputProps {
  label: string
  isInitials: boolean
  draft: MarkDraft
  problem: string | undefined
  onChange: (draft: MarkDraft) => void
}

export function MarkInput({ label, isInitials, draft, problem, onChange }: MarkInputProps) {
  const { texts } = useSigning()
  const ways = [
    { value: 'draw', label: texts.mark.draw },
    { value: 'type', label: texts.mark.type },
    { value: 'upload', label: texts.mark.upload },
  ] as const
  return (
    <div className="flex flex-col gap-3">
      <Segmented
        legend={texts.mark.how}
        name="way"
        value={draft.way}
        options={ways}
        onChange={(way) => onChange({ ...draft, way })}
      />
      {draft.way === 'draw' && (
        <>
          <DrawPad label={label} strokes={draft.strokes} onChange={(strokes) => onChange({ ...draft, strokes })} />
          <Problem text={problem} />
        </>
      )}
      {draft.way === 'type' && (
        <Field label={isInitials ? texts.mark.typedInitials : texts.mark.typed} name="typed" problem={problem}>
          <TextInput
            value={draft.typed}
            maxLength={120}
            autoComplete={isInitials ? 'off' : 'name'}
            onChange={(event) => onChange({ ...draft, typed: event.target.value })}
            className="h-14 font-serif text-xl! italic"
          />
        </Field>
      )}
      {draft.way === 'upload' && <Upload draft={draft} problem={problem} onChange={onChange} />}
    </div>
  )
}

const Problem = ({ text }: { text: string | undefined }) =>
  text === undefined ? null : (
    <p role="alert" className="text-bad text-sm">
      {text}
    </p>
  )

function Upload({ draft, problem, onChange }: Pick<MarkInputProps, 'draft' | 'problem' | 'onChange'>) {
  const { texts } = useSigning()
  const [isUnreadable, setUnreadable] = useState(false)
  const read = async (event: ChangeEvent<HTMLInputElement>) => {
    const [file] = event.target.files ?? []
    if (!file) return
    const picture = await readPicture(file)
    setUnreadable(picture === undefined)
    onChange({ ...draft, picture })
  }
  return (
    <Field label={texts.mark.file} name="picture" problem={isUnreadable ? texts.problem.image : problem}>
      <TextInput
        type="file"
        accept="image/png,image/jpeg"
        onChange={(event) => void read(event)}
        className="py-1.5 file:me-3 file:rounded-control file:bg-sunken file:px-3 file:py-1 file:text-ink"
      />
      {draft.picture !== undefined && <MarkPicture mark={{ png: draft.picture }} />}
    </Field>
  )
}

export function MarkPicture({ mark }: { mark: Mark }) {
  const { texts } = useSigning()
  return (
    <div className="flex h-24 items-center justify-center rounded-control border bg-white px-4 text-[#14161c]">
      {'png' in mark ? (
        <img src={`data:image/png;base64,${mark.png}`} alt={texts.mark.yours} className="max-h-20 max-w-full" />
      ) : (
        <span className="truncate font-serif text-xl italic">{mark.typed}</span>
      )}
    </div>
  )
}
