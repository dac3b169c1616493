import { Type } from 'class-transformer';
import { IsBoolean, IsInt, IsObject, Max, Min, ValidateIf, ValidateNested } from 'class-validator';

export const IsIntBetween =
  (min: number, max = Number.MAX_SAFE_INTEGER) =>
  (target: object, key: string) => {
    const message =
      max === Number.MAX_SAFE_INTEGER
        ? `must be a whole number of at least ${min}`
        : `must be a whole number from ${min} to ${max}`;
    IsInt({ message })(target, key);
    Min(min, { message })(target, key);
    Max(max, { message })(target, key);
  };
export const AllowNull = () => ValidateIf((_, value) => value !== null);
export const IsSwitch = () => IsBoolean({ message: 'must be true or false' });
export const NestedSettings = (type: () => new () => object) => (target: object, key: string) => {
  IsObject({ message: 'must be a group of settings' })(target, key);
  ValidateNested({ message: 'must be a group of settings' })(target, key);
  Type(type)(target, key);
};
