import { TextField } from '../../../platform/http/validation/field.decorator.js';
import { oneOf } from '../../../platform/http/validation/field-rules.js';
import { OPERATOR_NAME } from '../../actions/operators/operator-actions.js';
import { type Role, ROLES } from '../../actions/operators/role.js';
import { NoteDto } from '../pagination.dto.js';

export class AddOperatorDto extends NoteDto {
  @TextField({
    min: 2,
    max: 32,
    pattern: OPERATOR_NAME,
    hint: 'must be lowercase letters, digits and . _ -',
  })
  name: string;

  @TextField(oneOf(ROLES))
  role: Role;
}
