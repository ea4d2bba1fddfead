/** Form of the transform node. */
import { PairsRow } from '../rows/pairs-row.tsx'

export const TransformForm = () => (
  <PairsRow
    name="fields"
    label="Fields"
    help="Each field is a Python expression over payload, event, input and state. Together they are the output."
    nameLabel="Field name"
    valueLabel="Field expression"
    addLabel="Add field"
    notation="expression"
    isRequired
  />
)
