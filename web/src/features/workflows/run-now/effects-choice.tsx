/** Lets a test of a draft reach other systems and people; only somebody who may publish it can choose that. */
import { useCan } from '#data/viewer.ts'
import { Check } from '#ui/form/choices.tsx'

interface EffectsChoiceProps {
  isDry: boolean
  onChange: (isDry: boolean) => void
}

export const EffectsChoice = ({ isDry, onChange }: EffectsChoiceProps) =>
  useCan('test-with-effects') ? (
    <div className="-mx-3">
      <Check isOn={isDry} onChange={() => onChange(!isDry)}>
        Don’t reach other systems or people
      </Check>
      <p className="px-3 text-faint text-sm">Their nodes are skipped, so a node that reads their answer finds none.</p>
    </div>
  ) : (
    <p className="text-soft text-sm">
      The test doesn’t reach other systems or people. An organization admin can test this draft with effects, or publish
      it.
    </p>
  )
