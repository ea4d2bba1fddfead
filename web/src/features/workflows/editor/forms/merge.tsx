/** Form of the merge node. */
import { SelectRow } from '../rows/text-rows.tsx'

const mergeModes = [
  { value: 'all', label: 'All branches' },
  { value: 'any', label: 'The first branch' },
]

export const MergeForm = () => (
  <SelectRow
    name="mode"
    label="Wait for"
    options={mergeModes}
    usual="all"
    help="All: the output has each branch’s result under the ID of its last node. First: it has branch and output, and the other branches run on."
  />
)
