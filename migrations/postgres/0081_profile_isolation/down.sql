UPDATE profiles SET isolation = 'isolated' WHERE isolation = 'profile';
ALTER TABLE profiles DROP CONSTRAINT profiles_isolation_check;
ALTER TABLE profiles ADD CONSTRAINT profiles_isolation_check
    CHECK (isolation IN ('tree', 'team', 'isolated'));
